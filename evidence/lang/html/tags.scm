(comment) @comment
(element) @todo
(text) @todo
((raw_text) @comment (#match? @comment "(?s)^\\s*((//[^\\n]*|/\\*.*?\\*/)\\s*)+$"))
