(comment) @comment
"do" @bracket
"begin" @bracket
"end" @bracket

(method) @function
(singleton_method) @function
(class) @class
(module) @class

(call) @ask
(rescue) @handler
