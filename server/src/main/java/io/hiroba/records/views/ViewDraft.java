package io.hiroba.records.views;

/** A view as it is requested, with attributes by name or id. */
public record ViewDraft(String name, ViewRow.Kind kind, boolean shared, ViewDefinition definition) {

    ViewDraft with(ViewDefinition other) {
        return new ViewDraft(name.strip(), kind, shared, other);
    }
}
