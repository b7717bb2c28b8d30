package io.hiroba.records;

import static io.hiroba.testkit.TestRecords.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hiroba.platform.problem.Problem.FieldError;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonSchemaReaderTest {

    @Test
    void propertiesBecomeAttributes() {
        var definition = JsonSchemaReader.read(json("""
                {'$schema': 'https://json-schema.org/draft/2020-12/schema', 'title': 'product', 'type': 'object',
                 'required': ['name', 'note'], 'additionalProperties': false,
                 'properties': {
                    'name': {'type': 'string', 'minLength': 1, 'maxLength': 20, 'pattern': '^[a-z]+$'},
                    'price': {'type': 'number', 'minimum': 0.10, 'maximum': 9, 'default': 0.50},
                    'count': {'type': 'integer'},
                    'sold': {'type': 'string', 'format': 'date-time'},
                    'day': {'type': 'string', 'format': 'date'},
                    'active': {'type': 'boolean', 'description': 'whether it is'},
                    'tags': {'type': 'array'},
                    'more': {'type': 'object'},
                    'note': {'type': ['string', 'null'], 'enum': ['a', null]},
                    'sku': {'type': 'string', 'x-unique': true, 'x-references': 'stock'}}}
                """), false, Optional.empty());
        assertThat(definition.name()).isEqualTo("product");
        assertThat(definition.attributes())
                .extracting(AttributeDefinition::type)
                .containsExactly(
                        "text", "numeric", "numeric", "datetime", "date", "bool", "jsonb", "jsonb", "text", "text");
        var name = definition.attributes().getFirst();
        assertThat(name.isRequired()).isTrue();
        assertThat(name.min()).hasToString("1");
        assertThat(name.pattern()).isEqualTo("^[a-z]+$");
        assertThat(definition.attributes().get(1).initial()).hasToString("0.50");
        assertThat(definition.attributes().get(8).isRequired()).isFalse();
        assertThat(definition.attributes().get(8).options()).hasSize(1);
        assertThat(definition.attributes().get(9).references()).isEqualTo("stock");
    }

    @Test
    void aPatternMayMatchAnywhereThere() throws InvalidValueException {
        var definition = JsonSchemaReader.read(
                json("{'properties': {'a': {'type': 'string', 'pattern': 'b|c'}}}"), false, Optional.of("x"));
        var pattern =
                TextPattern.of(String.valueOf(definition.attributes().getFirst().pattern()));
        assertThat(pattern.matches("a\nc\n")).isTrue();
        assertThat(pattern.matches("aa")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'properties': {}, 'patternProperties': {}}|patternProperties",
                "{'properties': {}, 'additionalProperties': true}|additionalProperties",
                "{'properties': {}, 'type': 'array'}|type",
                "{'properties': {}, 'required': ['x']}|required",
                "{'properties': {}, 'allOf': []}|allOf",
                "{'properties': {'a': {'type': 'string', 'format': 'hostname'}}}|properties.a.format",
                "{'properties': {'a': {'type': ['string', 'number']}}}|properties.a.type",
                "{'properties': {'a': {}}}|properties.a.type",
                "{'properties': {'a': {'$ref': '#/b'}}}|properties.a.$ref",
                "{'properties': {'a': {'type': 'number', 'exclusiveMinimum': 1}}}|properties.a.exclusiveMinimum",
                "{'properties': {'a': {'type': 'number', 'multipleOf': 2}}}|properties.a.multipleOf",
                "{'properties': {'a': {'type': 'array', 'items': {}}}}|properties.a.items",
                "{'properties': {'a': {'type': 'string', 'minimum': 1}}}|properties.a.minimum",
                "{'properties': {'a': {'type': 'number', 'maxLength': 1}}}|properties.a.maxLength",
                "{'properties': {'a': true}}|properties.a"
            })
    void whatCannotBeKeptIsRefused(String document, String field) {
        var problem = catchThrowableOfType(
                RecordsProblem.class, () -> JsonSchemaReader.read(json(document), false, Optional.of("x")));
        assertThat(problem.code()).isEqualTo("records.cannot-keep");
        assertThat(problem.fields()).extracting(FieldError::field).contains(field);
    }
}
