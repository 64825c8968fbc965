(comment) @comment
"do" @bracket
"begin" @bracket
"end" @bracket

(method name: (_) @name "=" body: _ @value) @definition.function
(method name: (_) @name @after parameters: (_)? @after) @definition.function
(singleton_method name: (_) @name "=" body: _ @value) @definition.function
(singleton_method name: (_) @name @after parameters: (_)? @after) @definition.function
(class name: (_) @name @after superclass: (_)? @after) @definition.class
(module name: (_) @name @after) @definition.class

; RSpec, Minitest::Spec, Rails
((call method: (identifier) @_m arguments: (argument_list (string) @test.title) block: [(do_block "do" @after parameters: (_)? @after) (block "{" @after parameters: (_)? @after)]) @test
 (#any-of? @_m "it" "specify" "example" "scenario" "test" "should"))
((call method: (identifier) @_m arguments: (argument_list (simple_symbol) @name) block: [(do_block "do" @after parameters: (_)? @after) (block "{" @after parameters: (_)? @after)]) @definition.function
 (#eq? @_m "define_method"))
((call method: (identifier) @_m !block !receiver) @throw (#any-of? @_m "it" "specify" "raise" "fail" "abort"))
((call method: (identifier) @_m arguments: (argument_list (string))) @import (#any-of? @_m "require" "require_relative"))
(call) @probe
