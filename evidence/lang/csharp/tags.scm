(comment) @comment
(using_directive) @import
(extern_alias_directive) @import
(file_scoped_namespace_declaration) @import
(attribute_list) @decorator
(preproc_region) @bracket
(preproc_endregion) @bracket
(preproc_pragma) @import
(preproc_nullable) @bracket
(preproc_line) @bracket

(method_declaration name: (_) @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function
((constructor_declaration name: (_) @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function (#not-eq? @name "extension"))
(destructor_declaration name: (_) @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function
(operator_declaration operator: _ @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function
(conversion_operator_declaration type: (_) @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function
(local_function_statement name: (_) @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]?) @definition.function
(accessor_declaration name: _ @name body: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]) @definition.function
(property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.class
(property_declaration name: (_) @name accessors: (_)) @definition.type
(property_declaration name: (_) @name value: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]) @definition.function
(indexer_declaration "this" @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.class
(indexer_declaration "this" @name accessors: (_)) @definition.type
(indexer_declaration "this" @name value: [(arrow_expression_clause (_) @value .) (arrow_expression_clause "=>" _ @value) (_) @body]) @definition.function
(event_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_))) @body) @definition.class
(event_declaration name: (_) @name accessors: (_)) @definition.type
(event_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name body: (_)? @body) @definition.class
(struct_declaration name: (_) @name body: (_)? @body) @definition.class
(record_declaration name: (_) @name body: (_)? @body) @definition.class
(enum_declaration name: (_) @name body: (_)? @body) @definition.class
(interface_declaration) @definition.interface
(delegate_declaration) @definition.type
(enum_member_declaration) @definition.type

(throw_statement) @throw
(throw_expression) @throw
(expression_statement) @throw
