(comment) @comment
(block_comment) @comment
(package_clause !body) @import
(import_declaration) @import
(export_declaration) @import
(using_directive) @import
(annotation) @decorator
"end" @bracket
"_end_ident" @bracket

(function_definition name: (_) @name "=" @after body: (indented_block)) @definition.function
(function_definition name: (_) @name body: [(block) @body _ @value]) @definition.function
(function_declaration) @definition.type
((val_definition pattern: (identifier) @name value: _ @value) @definition.function (#eq? @value "???"))
(given_definition name: (_) @name body: [(template_body) (with_template_body) (enum_body)] @body) @definition.class
(given_definition name: (_) @name body: [(block) @body _ @value]?) @definition.function
(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(package_object name: (_) @name body: (_)? @body) @definition.class
(enum_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition) @definition.interface
(type_definition) @definition.type
(simple_enum_case) @definition.type
(full_enum_case) @definition.type

; ScalaTest, specs2, munit: test("adds") { … }, "adds" in { … }, it should "add" in { … }
((call_expression function: (call_expression function: (_) @_f arguments: (arguments [(string) @test.title (field_expression value: (string) @test.title)])) arguments: [(block) (colon_argument)] @body) @test
 (#any-of? @_f "test" "testAsync" "it" "they" "describe" "context" "feature" "scenario" "Feature" "Scenario" "ignore" "property" "suite" "group"))
(call_expression) @throw
((infix_expression left: (string) @test.title operator: (_) @_o right: [(block) (colon_argument)] @body) @test
 (#any-of? @_o "in" "ignore" "is" "should" "when" "can" "must" "which" "that" ">>" "!"))
((infix_expression left: (infix_expression right: (string) @test.title) operator: (_) @_o right: [(block) (colon_argument)] @body) @test
 (#any-of? @_o "in" "ignore" "is" "should" "when" "can" "must" "which" "that" ">>" "!"))
((infix_expression operator: (_) @_o right: (call_expression function: (_) @receiver arguments: (block) @body)) @owner (#eq? @_o "with"))
(infix_expression) @probe
(throw_expression) @throw
(operator_identifier) @throw
":" @bracket
(instance_expression (_) @receiver (template_body) @body) @owner
