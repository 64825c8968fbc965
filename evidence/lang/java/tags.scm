(line_comment) @comment
(block_comment) @comment
(package_declaration) @import
(import_declaration) @import
(marker_annotation) @decorator
(annotation) @decorator

(method_declaration name: (_) @name body: (_)? @body) @definition.function
(constructor_declaration name: (_) @name body: (_)? @body) @definition.function
(compact_constructor_declaration name: (_) @name body: (_)? @body) @definition.function
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(record_declaration name: (_) @name body: (_)? @body) @definition.class
(enum_declaration name: (_) @name body: (_)? @body) @definition.class
(interface_declaration) @definition.interface
(annotation_type_declaration) @definition.interface
(annotation_type_element_declaration) @definition.type
(enum_constant) @definition.type

(throw_statement) @throw
(expression_statement) @throw
(assert_statement) @throw
(object_creation_expression type: (_) @receiver (class_body) @body) @owner
