(comment) @comment
(message (message_name) @name) @definition.type
(enum (enum_name) @name) @definition.type
(rpc (rpc_name) @name) @definition.type
(service (service_name) @name) @definition.interface
