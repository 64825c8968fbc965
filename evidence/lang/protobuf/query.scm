(comment) @comment
(message) @type
(enum) @type
(rpc) @type
(service) @scope
