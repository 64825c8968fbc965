(comment) @comment
(import_statement) @import
(decorator) @decorator

(function_declaration) @function
(generator_function_declaration) @function
(method_definition) @function.member
(class_declaration) @class

(arrow_function) @value
(function_expression) @value
(generator_function) @value
(class) @value.class

(variable_declarator) @binding.name.value
(pair) @member.key.value
(assignment_expression) @binding.left.right
(export_statement) @default.value

(expression_statement) @expression
(throw_statement) @throw
(catch_clause) @handler
