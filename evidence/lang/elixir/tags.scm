(comment) @comment
"do" @bracket
"end" @bracket

((call target: (identifier) @_d (arguments [(binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when") (call target: (identifier) @name) (identifier) @name (binary_operator operator: _ @name) (unary_operator operator: _ @name)] (keywords (pair key: (keyword) @_k value: (_) @body)))) @definition.function
 (#any-of? @_d "def" "defp" "defmacro" "defmacrop" "defn" "defnp") (#match? @_k "^do:"))
((call target: (identifier) @_d (arguments [(binary_operator left: [(call target: (identifier) @name) (identifier) @name] operator: "when") (call target: (identifier) @name) (identifier) @name (binary_operator operator: _ @name) (unary_operator operator: _ @name)]) (do_block "do" @after)?) @definition.function
 (#any-of? @_d "def" "defp" "defmacro" "defmacrop" "defn" "defnp"))
((call target: (identifier) @_d (arguments (alias) @name) (do_block "do" @after)?) @definition.class
 (#any-of? @_d "defmodule" "defimpl"))
((call target: (identifier) @_d (arguments (alias) @name)) @definition.interface (#eq? @_d "defprotocol"))
((call target: (identifier) @_d) @docstring (#eq? @_d "doc"))
((call target: (identifier) @_t (arguments (string) @test.title (keywords (pair key: (keyword) @_k value: (_) @body)))) @test
 (#any-of? @_t "test" "property") (#match? @_k "^do:"))
((call target: (identifier) @_t (arguments (string) @test.title) (do_block "do" @after)) @test (#any-of? @_t "test" "property"))
((call target: (identifier) @_i) @import (#any-of? @_i "require" "import" "alias"))
((call target: (identifier) @_a) @probe (#match? @_a "^(assert|refute)"))
((call target: (identifier) @_c) @throw (#match? @_c "^[efrtp]"))
((unary_operator) @docstring (#match? @docstring "^@(moduledoc|typedoc|shortdoc)\\b"))
((unary_operator) @decorator (#match? @decorator "^@(doc|spec|impl|tag|deprecated|since|dialyzer|decorate)\\b"))
