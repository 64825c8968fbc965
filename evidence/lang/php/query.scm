(comment) @comment
(php_tag) @bracket
"?>" @bracket
(declare_statement) @import
"namespace" @import
(namespace_name) @import
(namespace_use_declaration) @import
(attribute_list) @decorator

(function_definition) @function
(method_declaration) @function
(class_declaration) @class
(trait_declaration) @class
(interface_declaration) @scope
(enum_declaration) @scope

(function_call_expression) @ask
(expression_statement) @ask
(throw_expression) @throw
(exit_statement) @throw
(catch_clause) @handler
