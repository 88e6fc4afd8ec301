<?php
// Guzzle, by Composer or from a distribution's package (`php-guzzlehttp-guzzle`), and the generated client.
$composer = __DIR__ . '/client/vendor/autoload.php';
require file_exists($composer) ? $composer : 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/client/lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && file_exists($file)) {
        require $file;
    }
});
