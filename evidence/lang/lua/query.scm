(comment) @comment
(shebang) @comment
(function_end) @bracket
(do_start) @bracket
(do_end) @bracket
(if_then) @bracket
(if_end) @bracket
(for_do) @bracket
(for_end) @bracket
(while_do) @bracket
(while_end) @bracket

(function_statement) @function
(variable_declaration) @ask
(field) @function.member

(function_call) @ask
