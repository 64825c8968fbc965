(comment) @comment
(attribute) @todo
(block) @scope
