(comment) @comment
"then" @bracket
"fi" @bracket
"do" @bracket
"done" @bracket
"esac" @bracket
"&&" @bracket
"||" @bracket

(function_definition name: (_) @name body: (_)? @body) @definition.function

((command) @pass (#match? @pass "^(:|true)(\\s+[^$`<>]*)?$"))
((command) @probe (#match? @probe "^(skip|assert|\\[)"))
(command) @throw
((redirected_statement) @docstring (#match? @docstring "^:\\s*<<-?\\s*(['\"\\\\]|[^$`]*$)"))
(redirected_statement) @throw
(test_command) @probe
