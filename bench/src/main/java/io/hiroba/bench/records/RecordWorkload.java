package io.hiroba.bench.records;

/** A query of the benchmark, for a page of 20 whole records. */
enum RecordWorkload {
    RANGE("range: price between, by price"),
    EXACT("exact: quantity =, by id"),
    UNIQUE("exact: sku ="),
    PREFIX("prefix: title starts with, by title"),
    SORTED("sorted: the 20 highest prices"),
    TWO("two conditions: price between, status =, by price"),
    THREE("three conditions: price between, status =, city =, by price"),
    OR("or: city = or quantity =, by id"),
    NOT("not: price between, not status =, by price");

    private final String label;

    RecordWorkload(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
