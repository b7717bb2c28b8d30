package io.hiroba.platform.web;

/** Knows the address of a style, script or picture of ours by its name, such as {@code app.css}. */
@FunctionalInterface
public interface AssetUrls {

    String url(String name);
}
