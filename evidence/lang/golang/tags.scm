(comment) @comment
(package_clause) @import
(import_declaration) @import

(function_declaration name: (_) @name body: (_)? @body) @definition.function
(method_declaration receiver: (_) @receiver name: (_) @name body: (_)? @body) @definition.function
(type_spec) @definition.type
(type_alias) @definition.type

(expression_statement) @throw
