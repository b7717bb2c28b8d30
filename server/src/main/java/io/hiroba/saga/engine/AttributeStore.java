package io.hiroba.saga.engine;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.workflow.InputMapping.MissingValue;
import io.hiroba.saga.workflow.SearchAttribute;
import io.hiroba.saga.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** Inserts the search attributes of sagas in the statement that inserts these, and replaces them with the payload. */
final class AttributeStore {

    private AttributeStore() {}

    /** A part of a WITH clause, after others; empty where there is nothing to insert. */
    static String insert(List<AttributeValue> attributes) {
        return attributes.isEmpty() ? "" : """
                ,
                attributed AS (
                    INSERT INTO saga.saga_attributes (
                        saga_id, name, text_value, number_value, boolean_value, date_value)
                    SELECT saga, name,
                           CASE type WHEN 'STRING' THEN value END,
                           CASE type WHEN 'NUMBER' THEN CAST(value AS numeric) END,
                           CASE type WHEN 'BOOLEAN' THEN CAST(value AS boolean) END,
                           CASE type WHEN 'DATE' THEN CAST(value AS timestamptz) END
                    FROM unnest(:sagas, :names, :types, :values) AS a (saga, name, type, value))""";
    }

    /** Replaces the attributes of a saga, whose row is locked. */
    static void replace(Tx tx, SagaId id, List<AttributeValue> attributes) {
        tx.update("DELETE FROM saga.saga_attributes WHERE saga_id = :id")
                .bind("id", id.value())
                .execute();
        if (!attributes.isEmpty()) {
            var query = tx.query("WITH once AS (SELECT)%s SELECT NULL FROM once".formatted(insert(attributes)));
            bind(query, attributes);
            query.mapTo(String.class).list();
        }
    }

    static void bind(Query query, List<AttributeValue> attributes) {
        if (attributes.isEmpty()) {
            return;
        }
        query.bindArray("sagas", UUID.class, attributes, each -> each.saga().value())
                .bindArray(
                        "names",
                        String.class,
                        attributes,
                        each -> each.attribute().name())
                .bindArray(
                        "types",
                        String.class,
                        attributes,
                        each -> each.attribute().type().name())
                .bindArray("values", String.class, attributes, AttributeValue::value);
    }

    /**
     * A search attribute of a saga to insert.
     *
     * @param value as PostgreSQL reads it
     */
    record AttributeValue(SagaId saga, SearchAttribute attribute, String value) {

        /** Thrown where an attribute cannot be made of the payload. */
        static final class NoValue extends Exception {

            private static final long serialVersionUID = 1L;

            private final transient Text reason;

            NoValue(Text reason) {
                super(reason.toString(), null, false, false);
                this.reason = reason;
            }

            Text reason() {
                return reason;
            }
        }

        static List<AttributeValue> all(SagaId id, Workflow workflow, JsonNode payload) throws NoValue {
            var values = new ArrayList<AttributeValue>();
            for (var attribute : workflow.attributes()) {
                try {
                    attribute.of(payload).ifPresent(value -> values.add(new AttributeValue(id, attribute, value)));
                } catch (MissingValue e) {
                    throw new NoValue(
                            Text.of("saga.field.attribute", "attribute", attribute.name(), "reason", e.reason()));
                }
            }
            return values;
        }

        /** As above, or a problem of the payload. */
        static List<AttributeValue> required(SagaId id, Workflow workflow, JsonNode payload) {
            try {
                return all(id, workflow, payload);
            } catch (NoValue e) {
                throw SagaProblem.invalid("payload", e.reason());
            }
        }
    }
}
