(comment) @comment
(preproc_include) @import

(function_definition) @function
(union_specifier) @type
(enum_specifier) @type
(type_definition) @type
(preproc_def) @type
(preproc_function_def) @type

(expression_statement) @throw
(while_statement) @probe
(for_statement) @probe
(do_statement) @probe
