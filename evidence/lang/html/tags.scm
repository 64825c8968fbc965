(comment) @comment
(element) @todo
(text) @todo
(raw_text) @todo
