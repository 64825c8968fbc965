(comment) @comment
(block_comment) @comment
(package_clause) @ask
(import_declaration) @import
(export_declaration) @import
(using_directive) @import
(annotation) @decorator
"end" @bracket
"_end_ident" @bracket

(function_definition) @function
(function_declaration) @type
(val_definition) @ask
(given_definition) @ask
(class_definition) @class
(object_definition) @class
(package_object) @class
(enum_definition) @class
(trait_definition) @scope
(type_definition) @type
(simple_enum_case) @type
(full_enum_case) @type

(call_expression) @ask
(infix_expression) @ask
(throw_expression) @throw
(operator_identifier) @throw
(catch_clause) @handler
