package io.hiroba.platform.secrets;

import java.nio.charset.StandardCharsets;

/**
 * The column {@code secret} of a table, whose values are encrypted. Each is bound to its row: moved to another, it cannot be read.
 *
 * @param table with its schema
 * @param key the SQL expression of what tells the rows apart, a text that never changes
 */
public record EncryptedColumn(String table, String key) {

    byte[] boundTo(String row) {
        return (table + ":" + row).getBytes(StandardCharsets.UTF_8);
    }
}
