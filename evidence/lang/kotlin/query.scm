(line_comment) @comment
(multiline_comment) @comment
(shebang_line) @comment
(package_header) @import
(import_header) @import
(annotation) @decorator

(function_declaration) @function
(secondary_constructor) @function
(getter) @function
(setter) @function
(class_declaration) @ask
(object_declaration) @class
(companion_object) @class
(enum_entry) @type
(type_alias) @type

(call_expression) @ask
(jump_expression) @ask
(infix_expression) @probe
(catch_block) @handler
