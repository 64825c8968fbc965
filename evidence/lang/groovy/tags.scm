(comment) @comment
(groovy_doc) @comment
(shebang) @comment
(groovy_package) @import
(groovy_import) @import
(annotation) @decorator

(function_definition function: (_) @name body: (_) @body) @definition.function
(function_declaration function: (_) @name) @definition.function
(class_definition "interface" name: (_) @name) @definition.interface
(class_definition name: (_) @name body: (_) @body) @definition.class

(juxt_function_call) @throw
(function_call) @throw
(assertion) @probe
