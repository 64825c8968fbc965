(line_comment) @comment
(block_comment) @comment
(use_declaration) @import
(extern_crate_declaration) @import
(inner_attribute_item) @import
(attribute_item) @decorator

(function_item name: (_) @name body: (_)? @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
((impl_item type: (_) @name body: (_)? @body) @definition.class (#through! @name name type element trait))
(trait_item name: (_) @name body: (_)? @body) @definition.class
(mod_item name: (_) @name body: (_)? @body) @definition.class
(struct_item) @definition.type
(enum_item) @definition.type
(union_item) @definition.type
(type_item) @definition.type
(associated_type) @definition.type
((const_item name: (_) @name) @definition.type (#not-eq? @name "_"))
(static_item) @definition.type
(macro_definition) @definition.type

(macro_invocation) @throw
(expression_statement) @expression
(let_declaration) @probe
(loop_expression) @probe
"unsafe" @bracket
