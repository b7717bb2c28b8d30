package io.hiroba.platform.config;

/**
 * A setting in effect, as people may see it.
 *
 * @param value masked if it is secret
 * @param origin the source: {@code hiroba.yaml}, {@code HIROBA_HTTP_PORT}, {@code --http.port}, or {@code default}
 * @param meaning in English, as the reference has it
 */
public record EffectiveSetting(String key, String value, String origin, boolean isSecret, String meaning) {

    static final String MASK = "********";

    static EffectiveSetting of(ConfigKey key, Setting setting) {
        return new EffectiveSetting(
                setting.path(),
                key.secret() && !setting.text().isEmpty() ? MASK : setting.text(),
                setting.origin(),
                key.secret(),
                key.meaning());
    }

    /** Whether nobody has set it. */
    public boolean isDefault() {
        return origin.equals(Setting.DEFAULT);
    }
}
