package io.hiroba.records.odata;

import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.Property;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes {@code $metadata}: the types and entity sets of a project in CSDL. The sets and the term for real names are in a namespace of
 * their own, so that no schema can have their names.
 */
final class MetadataDocument {

    private static final String EDMX = "http://docs.oasis-open.org/odata/ns/edmx";
    private static final String EDM = "http://docs.oasis-open.org/odata/ns/edm";

    /** The vocabularies of OData by their full names: clients would fetch a document that is referred to, and fail without a network. */
    private static final String CORE = "Org.OData.Core.V1.";

    private static final String CAPABILITIES = "Org.OData.Capabilities.V1.";
    private static final String TYPES = "hiroba.records";
    private static final String SERVICE = "hiroba.service";
    private static final String REAL_NAME = SERVICE + ".Name";
    private static final String MICROSECONDS = "6";
    private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();

    private final EntityModel model;
    private final XMLStreamWriter xml;

    private MetadataDocument(EntityModel model, XMLStreamWriter xml) {
        this.model = model;
        this.xml = xml;
    }

    static String of(EntityModel model) {
        var text = new StringWriter();
        try {
            var xml = FACTORY.createXMLStreamWriter(text);
            new MetadataDocument(model, xml).write();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a text cannot fail to be written", e);
        }
        return text.toString();
    }

    private void write() throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeStartElement("edmx", "Edmx", EDMX);
        xml.writeNamespace("edmx", EDMX);
        xml.writeAttribute("Version", "4.0");
        xml.writeStartElement("edmx", "DataServices", EDMX);
        begin("Schema", "Namespace", TYPES);
        xml.writeDefaultNamespace(EDM);
        for (var set : model.sets()) {
            type(set);
        }
        xml.writeEndElement();
        begin("Schema", "Namespace", SERVICE);
        xml.writeDefaultNamespace(EDM);
        empty("Term", "Name", "Name", "Type", "Edm.String");
        begin("EntityContainer", "Name", "Container");
        annotation(CAPABILITIES + "FilterFunctions", List.of("contains", "startswith"), "String");
        for (var set : model.sets()) {
            set(set);
        }
        xml.writeEndDocument();
    }

    private void type(EntitySet set) throws XMLStreamException {
        begin("EntityType", "Name", set.name());
        begin("Key");
        empty("PropertyRef", "Name", SystemProperty.ID.label());
        xml.writeEndElement();
        for (var property : SystemProperty.values()) {
            begin("Property", "Name", property.label(), "Type", property.edmType(), "Nullable", "false");
            if (property.edmType().equals("Edm.DateTimeOffset")) {
                xml.writeAttribute("Precision", MICROSECONDS);
            }
            xml.writeEndElement();
        }
        for (var property : set.properties()) {
            property(property);
        }
        for (var navigation : set.navigations()) {
            var type = TYPES + "." + model.target(navigation).name();
            if (navigation.isMany()) {
                empty("NavigationProperty", "Name", navigation.name(), "Type", "Collection(" + type + ")");
                continue;
            }
            begin("NavigationProperty", "Name", navigation.name(), "Type", type);
            empty(
                    "ReferentialConstraint",
                    "Property",
                    navigation.key().name(),
                    "ReferencedProperty",
                    SystemProperty.ID.label());
            xml.writeEndElement();
        }
        names(set.name(), set.schema().name(), set.schema().label());
        xml.writeEndElement();
    }

    private void property(Property property) throws XMLStreamException {
        var attribute = property.attribute();
        begin("Property", "Name", property.name(), "Type", property.edmType());
        // A rule may require values that older records lack.
        switch (property.edmType()) {
            case "Edm.Decimal" -> xml.writeAttribute("Scale", "variable");
            case "Edm.DateTimeOffset" -> xml.writeAttribute("Precision", MICROSECONDS);
            default -> {
                // Others have no facets.
            }
        }
        names(property.name(), attribute.name(), attribute.label());
        if (property.isJson()) {
            empty("Annotation", "Term", CORE + "MediaType", "String", "application/json");
        }
        xml.writeEndElement();
    }

    /** The name where the identifier is another, and the title where there is one. */
    private void names(String identifier, String name, String label) throws XMLStreamException {
        if (!name.equals(identifier)) {
            empty("Annotation", "Term", REAL_NAME, "String", name);
        }
        if (!label.equals(name)) {
            empty("Annotation", "Term", CORE + "Description", "String", label);
        }
    }

    private void set(EntitySet set) throws XMLStreamException {
        begin("EntitySet", "Name", set.name(), "EntityType", TYPES + "." + set.name());
        for (var navigation : set.navigations()) {
            empty(
                    "NavigationPropertyBinding",
                    "Path",
                    navigation.name(),
                    "Target",
                    model.target(navigation).name());
        }
        var json = set.properties().stream()
                .filter(Property::isJson)
                .map(Property::name)
                .toList();
        var system = Stream.of(SystemProperty.values())
                .filter(each -> each.field().isEmpty())
                .map(SystemProperty::label);
        restricted(
                "Filter",
                "NonFilterableProperties",
                Stream.concat(system, json.stream()).toList());
        var unsorted = Stream.of(SystemProperty.values())
                .filter(each -> each != SystemProperty.ID && each != SystemProperty.CREATED_AT)
                .map(SystemProperty::label);
        restricted(
                "Sort",
                "NonSortableProperties",
                Stream.concat(unsorted, json.stream()).toList());
        for (var kind : List.of("Insert", "Update", "Delete")) {
            begin("Annotation", "Term", CAPABILITIES + kind + "Restrictions");
            begin("Record");
            var flag = kind.equals("Insert") ? "Insertable" : kind.equals("Update") ? "Updatable" : "Deletable";
            empty("PropertyValue", "Property", flag, "Bool", "false");
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private void restricted(String kind, String list, List<String> properties) throws XMLStreamException {
        begin("Annotation", "Term", CAPABILITIES + kind + "Restrictions");
        begin("Record");
        begin("PropertyValue", "Property", list);
        collection(properties, "PropertyPath");
        xml.writeEndElement();
        xml.writeEndElement();
        xml.writeEndElement();
    }

    private void annotation(String term, List<String> values, String element) throws XMLStreamException {
        begin("Annotation", "Term", term);
        collection(values, element);
        xml.writeEndElement();
    }

    private void collection(List<String> values, String element) throws XMLStreamException {
        begin("Collection");
        for (var value : values) {
            begin(element);
            xml.writeCharacters(value);
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private void begin(String element, String... attributes) throws XMLStreamException {
        xml.writeStartElement(element);
        attributes(attributes);
    }

    private void empty(String element, String... attributes) throws XMLStreamException {
        xml.writeEmptyElement(element);
        attributes(attributes);
    }

    private void attributes(String... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute(attributes[i], writable(attributes[i + 1]));
        }
    }

    /** Titles may have signs that XML has no way to write. */
    private static String writable(String text) {
        var writable = new StringBuilder();
        text.codePoints()
                .forEach(c -> writable.appendCodePoint(
                        (c < ' ' && c != '\t' && c != '\n' && c != '\r')
                                        || c == 0xFFFE
                                        || c == 0xFFFF
                                        || (c >= 0xD800 && c <= 0xDFFF)
                                ? 0xFFFD
                                : c));
        return writable.toString();
    }
}
