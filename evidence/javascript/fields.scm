(field_definition) @binding.property.value
