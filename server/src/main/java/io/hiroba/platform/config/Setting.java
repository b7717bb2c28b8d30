package io.hiroba.platform.config;

/**
 * A key with its value from a source.
 *
 * @param origin the source: {@code hiroba.yaml}, {@code HIROBA_HTTP_PORT}, {@code --http.port}, {@code default}
 */
record Setting(String path, String text, String origin) {

    static final String DEFAULT = "default";
}
