(comment) @comment
(multiline_comment) @comment
(import_declaration) @import
(attribute) @decorator

(function_declaration) @function
(protocol_function_declaration) @function
(init_declaration) @function
(deinit_declaration) @function
(subscript_declaration) @function
(property_declaration) @function
(computed_getter) @function
(computed_setter) @function
(computed_modify) @function
(didset_clause) @function
(willset_clause) @function
(class_declaration) @class
(protocol_declaration) @class
(typealias_declaration) @type
(associatedtype_declaration) @type

(call_expression) @throw
(control_transfer_statement) @ask
(try_expression) @probe
(catch_block) @handler
