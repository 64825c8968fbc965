(comment) @comment
(pair) @todo
