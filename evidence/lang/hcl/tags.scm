(comment) @comment
(attribute) @pair
((block (identifier) @_k (string_lit) @receiver (string_lit) @name) @definition.interface (#eq? @_k "resource"))
(block (identifier) @receiver (string_lit) @receiver.end (string_lit) @name) @definition.interface
(block (identifier) @receiver (string_lit) @name) @definition.interface
