package io.hiroba.platform.http;

import io.javalin.config.RoutesConfig;

/** A feature's routes: parse, call the facade, render. */
@FunctionalInterface
public interface Routes {
    void register(RoutesConfig routes);
}
