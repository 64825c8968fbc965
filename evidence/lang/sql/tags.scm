(comment) @comment
(marginalia) @comment
(create_table [(identifier) (object_reference)] @name) @definition.type
(create_view [(identifier) (object_reference)] @name) @definition.type
(create_materialized_view (object_reference) @name) @definition.type
(create_function (object_reference) @name) @definition.type
(create_index [(identifier) (object_reference)] @name) @definition.type
(create_type [(identifier) (object_reference)] @name) @definition.type
(create_trigger [(identifier) (object_reference)] @name) @definition.type
(create_sequence (object_reference) @name) @definition.type
(create_schema [(identifier) (object_reference)] @name) @definition.type
(create_role [(identifier) (object_reference)] @name) @definition.type
