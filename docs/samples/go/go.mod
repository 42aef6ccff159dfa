module vatfx.example/samples

go 1.19
