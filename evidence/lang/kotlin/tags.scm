(line_comment) @comment
(multiline_comment) @comment
(shebang_line) @comment
(package_header) @import
(import_header) @import
(annotation) @decorator

(function_declaration [(user_type) (nullable_type) (parenthesized_type)] @receiver "." (simple_identifier) @name [(function_body "=" (_) @value .) (function_body "=" _ @value) (function_body) @body]?) @definition.function
(function_declaration (simple_identifier) @name [(function_body "=" (_) @value .) (function_body "=" _ @value) (function_body) @body]?) @definition.function
(secondary_constructor "constructor" @name "{"? @after) @definition.function
(getter "get" @name [(function_body "=" (_) @value .) (function_body "=" _ @value) (function_body) @body]) @definition.function
(setter "set" @name [(function_body "=" (_) @value .) (function_body "=" _ @value) (function_body) @body]) @definition.function
(class_declaration "interface" (type_identifier) @name) @definition.interface
(class_declaration (type_identifier) @name [(class_body) (enum_class_body)]? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name) @definition.type
(type_alias (type_identifier) @name) @definition.type

; kotest: "adds" { … }, test("adds") { … }, "adds".config(…) { … }
(call_expression (string_literal) @test.title (call_suffix (annotated_lambda) @body)) @test
((call_expression (call_expression (simple_identifier) @_f (call_suffix (value_arguments (value_argument (string_literal) @test.title)))) (call_suffix (annotated_lambda) @body)) @test
 (#match? @_f "^(?:[xf]?(?:test|it|describe|context|feature|scenario|given|when|then|and|expect|should|Given|When|Then|And|Scenario|Feature)|`when`|group)$"))
(call_expression (call_expression (navigation_expression [(string_literal) @test.title (call_expression (simple_identifier) (call_suffix (value_arguments (value_argument (string_literal) @test.title))))])) (call_suffix (annotated_lambda) @body)) @test
(call_expression) @throw
(jump_expression "throw") @throw
(infix_expression) @probe
(object_literal (delegation_specifier (_) @receiver) (class_body) @body) @owner
