(comment) @comment
(open_module) @import
(attribute) @decorator
(item_attribute) @decorator
"begin" @bracket
"end" @bracket
"struct" @bracket
"object" @bracket

; ppx_inline_test
((value_definition (attribute_id) @_a (let_binding pattern: (string) @test.title body: (_) @value)) @test
 (#any-of? @_a "test" "test_unit" "expect_test"))
; OUnit: "adds" >:: fun _ -> …
((infix_expression left: (string) @test.title operator: (_) @_o right: [(fun_expression body: (_) @value) (parenthesized_expression (fun_expression body: (_) @value))]) @test
 (#eq? @_o ">::"))
; Alcotest: test_case "adds" `Quick (fun () -> …)
((application_expression function: (_) @_f argument: (string) @test.title argument: (parenthesized_expression (fun_expression body: (_) @value)) .) @test
 (#match? @_f "test_case$"))

(let_binding pattern: (value_name) @name (parameter) body: (_) @value) @definition.function
(let_binding pattern: (value_name) @name body: [(fun_expression body: (_) @value) (function_expression) @value]) @definition.function
(method_definition name: (_) @name body: (_) @value) @definition.function
(class_binding name: (_) @name body: (_) @body) @definition.class
(module_binding name: (_) @name body: (structure) @body) @definition.class
(module_type_definition name: (_) @name) @definition.interface
(type_binding name: (_) @name) @definition.type
(external (value_name) @name) @definition.type
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type

(application_expression) @throw
(assert_expression) @probe
