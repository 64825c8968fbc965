(line_comment) @comment
(block_comment) @comment
(use_declaration) @import
(extern_crate_declaration) @import
(inner_attribute_item) @import
(attribute_item) @decorator

(function_item) @function
(function_signature_item) @function
(impl_item) @class
(trait_item) @class
(mod_item) @class
(struct_item) @type
(enum_item) @type
(union_item) @type
(type_item) @type
(associated_type) @type
(const_item) @type
(static_item) @type
(macro_definition) @type

(macro_invocation) @throw
(expression_statement) @expression
(let_declaration) @probe
(loop_expression) @probe
"unsafe" @bracket
