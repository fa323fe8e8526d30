module voight.example/voight

go 1.19
