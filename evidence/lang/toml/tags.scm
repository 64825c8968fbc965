(comment) @comment
(pair) @pair
