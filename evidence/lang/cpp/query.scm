(class_specifier) @class
(namespace_definition) @class
(alias_declaration) @type
(concept_definition) @type

(using_declaration) @import
(template_parameter_list) @decorator
(throw_statement) @throw
(access_specifier) @bracket
":" @bracket
(struct_specifier) @class
(catch_clause) @handler
