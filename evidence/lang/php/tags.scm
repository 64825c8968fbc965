(comment) @comment
(php_tag) @bracket
"?>" @bracket
(declare_statement) @import
"namespace" @import
(namespace_name) @import
(namespace_use_declaration) @import
(attribute_list) @decorator

(function_definition) @definition.function
(method_declaration) @definition.function
(class_declaration) @definition.class
(trait_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.interface

; Pest
((function_call_expression function: (_) @_f arguments: (arguments (argument (_) @test.title) (argument [(arrow_function body: _ @value) (anonymous_function_creation_expression body: (_) @body)]))) @test
 (#any-of? @_f "it" "test"))
((function_call_expression function: (_) @_f) @throw (#any-of? @_f "die" "trigger_error"))
((expression_statement) @throw (#match? @throw "^(\\$this->|self::|static::)markTestInc"))
(expression_statement) @expression
(throw_expression) @throw
(exit_statement) @throw
