(comment) @comment
(multiline_comment) @comment
(import_declaration) @import
(attribute) @decorator

(function_declaration "func" _ @name body: (_)? @body) @definition.function
(protocol_function_declaration "func" _ @name body: (_)? @body) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.function
(deinit_declaration "deinit" @name body: (_)? @body) @definition.function
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.function
(property_declaration name: (pattern bound_identifier: (_) @name) computed_value: (_) @body) @definition.function
(property_declaration name: (pattern bound_identifier: (_) @name) (willset_didset_block)) @definition.function
(computed_getter (getter_specifier) @name "{" @after) @definition.function
(computed_setter (setter_specifier) @name "{" @after) @definition.function
(computed_modify (modify_specifier) @name "{" @after) @definition.function
(didset_clause "didSet" @name "{" @after) @definition.function
(willset_clause "willSet" @name "{" @after) @definition.function
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(protocol_declaration name: (_) @name body: (_)? @body) @definition.class
(typealias_declaration) @definition.type
(associatedtype_declaration) @definition.type

(call_expression) @throw
(control_transfer_statement (throw_keyword)) @throw
(try_expression) @probe
