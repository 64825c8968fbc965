(line_comment) @comment
(block_comment) @comment
(package_declaration) @import
(import_declaration) @import
(marker_annotation) @decorator
(annotation) @decorator

(method_declaration) @function
(constructor_declaration) @function
(compact_constructor_declaration) @function
(class_declaration) @class
(record_declaration) @class
(enum_declaration) @class
(interface_declaration) @scope
(annotation_type_declaration) @scope
(annotation_type_element_declaration) @type
(enum_constant) @type

(throw_statement) @throw
(expression_statement) @throw
(assert_statement) @throw
(catch_clause) @handler
