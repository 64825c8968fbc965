(comment) @comment
"do" @bracket
"end" @bracket

(call) @ask
(unary_operator) @ask
(rescue_block) @handler
