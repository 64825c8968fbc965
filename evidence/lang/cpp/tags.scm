(class_specifier name: (_) @name body: (_) @body) @definition.class
(namespace_definition name: (_) @name body: (_) @body) @definition.class
(alias_declaration) @definition.type
(concept_definition) @definition.type

(using_declaration) @import
(template_parameter_list) @decorator
(throw_statement) @throw
(access_specifier) @bracket
":" @bracket
(struct_specifier name: (_) @name body: (_) @body) @definition.class
