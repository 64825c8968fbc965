(comment) @comment
(preproc_include) @import

(function_definition declarator: (_) body: (_)? @body) @definition.function
(union_specifier name: (_) @name body: (_)) @definition.type
(enum_specifier name: (_) @name body: (_)) @definition.type
(type_definition declarator: (_)) @definition.type
(preproc_def) @definition.type
(preproc_function_def) @definition.type

(expression_statement) @throw
(while_statement) @probe
(for_statement) @probe
(do_statement) @probe
(struct_specifier name: (_) @name body: (_)) @definition.type
