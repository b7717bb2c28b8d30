package io.hiroba.platform.config;

/**
 * A key with the text some source gave it.
 *
 * @param origin where it stood, in words: {@code hiroba.yaml}, {@code HIROBA_HTTP_PORT}, {@code --http.port}, {@code default}
 */
record Setting(String path, String text, String origin) {

    static final String DEFAULT = "default";
}
