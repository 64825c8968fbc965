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

(function_statement name: (_) @name (function_body_paren) (function_body_paren) @after) @definition.function
((variable_declaration) @import (#match? @import "^\\s*local\\s+\\w+\\s*=\\s*require\\s*\\(?\\s*[\"'][^\"']*[\"']\\s*\\)?$"))
(variable_declaration (local) name: (_) @name "=" value: (function (function_body_paren) (function_body_paren) @after) .) @definition.function
(variable_declaration name: (_) @name "=" value: (function (function_body_paren) (function_body_paren) @after) .) @definition.function
(field key: (string) @name value: (function (function_body_paren) (function_body_paren) @after) .) @definition.method
(field name: (_) @name value: (function (function_body_paren) (function_body_paren) @after) .) @definition.method

; busted
((function_call args: (function_arguments (string) @test.title (function (function_body_paren) (function_body_paren) @after))) @test
 (#match? @test "^\\s*(it|test|spec)\\("))
((function_call) @throw (#match? @throw "^\\s*(error|assert\\()"))
(function_call) @probe
