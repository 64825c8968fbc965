(comment) @comment
(import_statement) @import
(decorator) @decorator

(function_declaration) @definition.function
(generator_function_declaration) @definition.function
(method_definition) @definition.method
(class_declaration) @definition.class

(arrow_function) @value
(function_expression) @value
(generator_function) @value
(class) @value.class

(variable_declarator) @binding.name.value
(pair) @member.key.value
(assignment_expression) @binding.left.right
(export_statement) @default.value

; Jest, Vitest, Mocha, Jasmine, AVA, Playwright, node:test, QUnit, Deno
((expression_statement [(call_expression function: (_) @_f arguments: (arguments . [(string) (template_string) (binary_expression)] @test.title [(arrow_function body: [(statement_block) @body _ @value]) (function_expression body: (_) @body) (generator_function body: (_) @body)])) (await_expression (call_expression function: (_) @_f arguments: (arguments . [(string) (template_string) (binary_expression)] @test.title [(arrow_function body: [(statement_block) @body _ @value]) (function_expression body: (_) @body) (generator_function body: (_) @body)])))]) @test.skipped
 (#through! @test.title left) (#match? @_f "^(?:Deno\\.)?(?:[xf]?(?:it|test)|x?specify|QUnit)(?:\\s*\\.\\s*(?:test|only|skip|todo|concurrent|sequential|serial|failing|fails|fixme|slow|each|if|runIf|skipIf))*\\s*(?:[(`<]|$)") (#match? @_f "^x|\\.\\s*(?:skip|todo)\\b"))
((expression_statement [(call_expression function: (_) @_f arguments: (arguments . [(string) (template_string) (binary_expression)] @test.title [(arrow_function body: [(statement_block) @body _ @value]) (function_expression body: (_) @body) (generator_function body: (_) @body)])) (await_expression (call_expression function: (_) @_f arguments: (arguments . [(string) (template_string) (binary_expression)] @test.title [(arrow_function body: [(statement_block) @body _ @value]) (function_expression body: (_) @body) (generator_function body: (_) @body)])))]) @test
 (#through! @test.title left) (#match? @_f "^(?:Deno\\.)?(?:[xf]?(?:it|test)|x?specify|QUnit)(?:\\s*\\.\\s*(?:test|only|skip|todo|concurrent|sequential|serial|failing|fails|fixme|slow|each|if|runIf|skipIf))*\\s*(?:[(`<]|$)"))
((expression_statement (call_expression function: (_) @_f arguments: (arguments . [(string) (template_string) (binary_expression)] @test.title @after .))) @test.skipped
 (#through! @test.title left) (#match? @_f "^(?:Deno\\.)?(?:[xf]?(?:it|test)|x?specify|QUnit)(?:\\s*\\.\\s*(?:test|only|skip|todo|concurrent|sequential|serial|failing|fails|fixme|slow|each|if|runIf|skipIf))*\\s*(?:[(`<]|$)") (#match? @_f "^[xf]?it\\b|specify|\\.\\s*(?:skip|todo)\\b|^x"))
(expression_statement) @expression
(throw_statement) @throw
(field_definition) @binding.property.value
