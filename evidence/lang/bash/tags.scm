(comment) @comment
"then" @bracket
"fi" @bracket
"do" @bracket
"done" @bracket
"esac" @bracket
"&&" @bracket
"||" @bracket

; Bats: @test "adds" { … }
((function_definition name: (_) @test.title body: (_) @body) @test (#match? @test.title "^@"))
(function_definition name: (_) @name body: (_)? @body) @definition.function

((command) @pass (#match? @pass "^(:|true)(\\s+[^$`<>]*)?$"))
((command) @probe (#match? @probe "^(skip|assert|\\[)"))
(command) @throw
((redirected_statement) @docstring (#match? @docstring "^:\\s*<<-?\\s*(['\"\\\\]|[^$`]*$)"))
(redirected_statement) @throw
(test_command) @probe
