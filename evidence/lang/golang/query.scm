(comment) @comment
(package_clause) @import
(import_declaration) @import

(function_declaration) @function
(method_declaration) @function
(type_spec) @type
(type_alias) @type

(expression_statement) @throw
