package io.hiroba;

import java.util.List;

/** The composition root. */
public final class App {

    /** The schemas to migrate, in an order in which each may point at those before it. */
    public static final List<String> SCHEMAS = List.of("platform");

    private App() {}
}
