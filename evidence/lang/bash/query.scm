(comment) @comment
"then" @bracket
"fi" @bracket
"do" @bracket
"done" @bracket
"esac" @bracket
"&&" @bracket
"||" @bracket

(function_definition) @function

(command) @ask
(redirected_statement) @ask
(test_command) @ask
