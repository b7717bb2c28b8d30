package io.hiroba.platform.web;

/** Gives the URL of a stylesheet, script or picture by its name, such as {@code app.css}. */
@FunctionalInterface
public interface AssetUrls {

    String url(String name);
}
