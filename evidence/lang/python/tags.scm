(comment) @comment
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(decorator) @decorator

(function_definition name: (_) @name ":" @after) @definition.function
(class_definition name: (_) @name ":" @after) @definition.class

(expression_statement) @expression
(pass_statement) @pass
(raise_statement) @throw
(assert_statement) @probe
